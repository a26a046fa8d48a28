"""The likelihood and its solvers: `spec` (which effects), `layout` (where each parameter stands), `likelihood`,
`links`, `solver` (L-BFGS, spreads by EM), `own_votes` and `slopes` (judges beside the others), `new_judge`,
`mm` (plain Bradley-Terry with numpy alone), `graph` (connectedness)."""
