/** Tools and skills that hosts and projects define, each in versions that stand side by side. */
@NullMarked
package dev.parley.control.catalogue;

import org.jspecify.annotations.NullMarked;
