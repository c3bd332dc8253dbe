/** Whether everything that topics say came to its one end: facts of records, and what is wrong with them. */
@NullMarked
package dev.parley.domain.proof;

import org.jspecify.annotations.NullMarked;
