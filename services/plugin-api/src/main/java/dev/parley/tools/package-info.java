/** Tools that models call: what a plug-in implements, is given and gives back. */
@NullMarked
package dev.parley.tools;

import org.jspecify.annotations.NullMarked;
