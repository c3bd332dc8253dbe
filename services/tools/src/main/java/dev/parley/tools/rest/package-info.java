/** Tools that call HTTP APIs. */
@NullMarked
package dev.parley.tools.rest;

import org.jspecify.annotations.NullMarked;
