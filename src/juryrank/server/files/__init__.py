"""Uploaded items: what a file is, how it becomes something to show, and how it is handed out.

kinds       which files are accepted, and how a file that lies about its type is found out
worker      the decoders, a program of its own: it runs apart, with little memory and time
decoding    runs the worker on one file and says what became of it
uploads     files on their way into a study: received, decoded, kept for a day
names       items' names from names of files
serving     a stored file as a response that can be looked at and can run nothing
dead_links  addresses of pictures that judges' browsers could not load
"""
