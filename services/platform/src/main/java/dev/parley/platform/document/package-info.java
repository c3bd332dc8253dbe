/**
 * Definitions as documents: one reader and one writer, made of the components of a record and their {@link
 * dev.parley.domain.document.Field} annotations. Files, HTTP, archives, rows and the topic {@code definitions} use
 * them.
 */
@NullMarked
package dev.parley.platform.document;

import org.jspecify.annotations.NullMarked;
