/** The one main of Parley: roles, the embedded broker and database, the command line. */
@NullMarked
package dev.parley.server;

import org.jspecify.annotations.NullMarked;
