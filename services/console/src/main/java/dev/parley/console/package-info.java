/** The console: a web page for operators, and its sign-in. All else goes through the API. */
@Configuration
@Requires(property = "parley.role.console", value = "true")
@NullMarked
package dev.parley.console;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.NullMarked;
