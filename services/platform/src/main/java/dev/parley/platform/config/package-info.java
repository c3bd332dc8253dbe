/** What an operator may set: flags, environment, parley.yml and defaults, checked at start. */
@NullMarked
package dev.parley.platform.config;

import org.jspecify.annotations.NullMarked;
