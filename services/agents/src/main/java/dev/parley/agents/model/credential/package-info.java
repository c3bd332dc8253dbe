/** Keys of providers that people and hosts keep, read where calls are made. */
@NullMarked
package dev.parley.agents.model.credential;

import org.jspecify.annotations.NullMarked;
