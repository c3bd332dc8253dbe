/** People: who they are, how they sign in, who is signed in. */
@NullMarked
package dev.parley.control.people;

import org.jspecify.annotations.NullMarked;
