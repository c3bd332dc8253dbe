/** What a session is between two records: values that know how they change, and nothing of why. */
@NullMarked
package dev.parley.domain.session;

import org.jspecify.annotations.NullMarked;
