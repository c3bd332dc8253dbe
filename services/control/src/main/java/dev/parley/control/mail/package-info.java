/** Outgoing e-mail. */
@NullMarked
package dev.parley.control.mail;

import org.jspecify.annotations.NullMarked;
