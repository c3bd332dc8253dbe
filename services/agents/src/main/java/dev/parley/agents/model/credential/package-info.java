/** Providers' keys that users and hosts store, read by the workers that make calls. */
@NullMarked
package dev.parley.agents.model.credential;

import org.jspecify.annotations.NullMarked;
