/** Dead letters for operators: failed records with their reasons, and re-drive. */
@NullMarked
package dev.parley.control.deadletters;

import org.jspecify.annotations.NullMarked;
