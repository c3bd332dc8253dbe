/** The main module of Parley: the command line, the embedded broker and database, and the roles of a process. */
@NullMarked
package dev.parley.server;

import org.jspecify.annotations.NullMarked;
