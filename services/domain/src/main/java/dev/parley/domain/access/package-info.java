/** Access control: accounts, API keys, project membership and the capability check. */
@NullMarked
package dev.parley.domain.access;

import org.jspecify.annotations.NullMarked;
