/**
 * What can be said of a text without a model, in English, German, French, Spanish and Italian: its sentences and clauses, who asks and who orders, names
 * and which of them mean one person or thing, causes and effects, what a sentence states, and whether it is worth remembering. Words and patterns, pure, linear
 * in the text; nothing fails, whatever the text is.
 */
@NullMarked
package dev.parley.language.text;

import org.jspecify.annotations.NullMarked;
