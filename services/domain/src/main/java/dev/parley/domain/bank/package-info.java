/** Memory banks as seen from outside: their identity, directives and embedding vectors. */
@NullMarked
package dev.parley.domain.bank;

import org.jspecify.annotations.NullMarked;
