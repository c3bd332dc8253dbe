/**
 * Rule-based analysis of texts in English, German, French, Spanish and Italian: sentences and clauses, questions and
 * orders, names and coreference, causes and effects, the content of statements and their salience. Pure, linear in the
 * length of the text, and total: no input fails. {@link dev.parley.language.text.Clip} shortens texts of any kind.
 */
@NullMarked
package dev.parley.language.text;

import org.jspecify.annotations.NullMarked;
