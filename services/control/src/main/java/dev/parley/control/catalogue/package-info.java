/** Tools and skills of hosts and projects; versions of one coexist. */
@NullMarked
package dev.parley.control.catalogue;

import org.jspecify.annotations.NullMarked;
