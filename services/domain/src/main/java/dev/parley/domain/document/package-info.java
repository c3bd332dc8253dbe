/**
 * What a definition looks like as a document, in YAML and JSON. The components of its record are the fields of the
 * document; {@link dev.parley.domain.document.Field} says what differs and what is valid.
 */
@NullMarked
package dev.parley.domain.document;

import org.jspecify.annotations.NullMarked;
