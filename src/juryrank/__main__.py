"""`python -m juryrank` is `juryrank`."""

from juryrank.cli import main

if __name__ == "__main__":
    main()
