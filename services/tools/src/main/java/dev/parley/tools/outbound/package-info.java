/** The authorisation of requests by tools that are defined at run time. */
@NullMarked
package dev.parley.tools.outbound;

import org.jspecify.annotations.NullMarked;
