"""What a panel of people may promise.

`sittings` and `plans`: who is asked what. `counting` and its kinds (`head_to_head`, `field_share`,
`fixed_judges`): what their answers settle. `tournament`: what follows from that.
`bradley_terry` guides the plans; `forecast` looks ahead.
"""
