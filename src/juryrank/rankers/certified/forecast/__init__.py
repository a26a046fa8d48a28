"""What more questions would settle, a guess: `outlook` adds up what each part `costs`; `values` for results."""
