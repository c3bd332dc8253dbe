/** What a bank holds, folded from its events: documents, units, entities and links, found without a search. */
@NullMarked
package dev.parley.domain.memory.index;

import org.jspecify.annotations.NullMarked;
