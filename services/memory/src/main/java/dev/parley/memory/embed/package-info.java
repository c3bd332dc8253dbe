/** Says what texts mean, for banks that ask. */
@NullMarked
package dev.parley.memory.embed;

import org.jspecify.annotations.NullMarked;
