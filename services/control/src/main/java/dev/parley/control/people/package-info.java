/** People: accounts, sign-in and sessions of sign-in. */
@NullMarked
package dev.parley.control.people;

import org.jspecify.annotations.NullMarked;
