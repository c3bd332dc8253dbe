/** Whose memory it is, and what of it crosses between banks and turns: names of banks, hard rules, vectors. */
@NullMarked
package dev.parley.domain.bank;

import org.jspecify.annotations.NullMarked;
