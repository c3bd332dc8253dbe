/** What somebody takes out that is theirs: a ZIP of what all services of the process keep of them. */
@NullMarked
package dev.parley.platform.personal;

import org.jspecify.annotations.NullMarked;
