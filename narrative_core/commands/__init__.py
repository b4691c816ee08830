"""What each command of the command line does. Errors are raised; ``__main__`` turns them into a sentence."""
