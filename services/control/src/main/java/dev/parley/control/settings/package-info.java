/** Settings of the host. */
@NullMarked
package dev.parley.control.settings;

import org.jspecify.annotations.NullMarked;
