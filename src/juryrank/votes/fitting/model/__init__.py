"""The likelihood and its solvers: `spec` (which effects), `layout` (where each parameter stands), `likelihood`,
`links`, `solver` (L-BFGS, spreads by EM), `mm` (plain Bradley-Terry with numpy alone), `graph` (connectedness)."""
