"""Games that simple strategies play through the rules' own functions: the yardstick for groups."""
