"""Uploaded items: what a file is, how it becomes something to show, and how it is handed out.

kinds       which files are accepted, and how a file that lies about its type is found out
worker      the decoders, a program of its own: it runs apart, with little memory and time
decoding    runs the worker on one file and says what became of it
uploads     files on their way into a study: received, decoded, kept for a day; addresses that could not be loaded
transfer    a request's body onto the disk, and a stored file as a response that can run nothing
"""
