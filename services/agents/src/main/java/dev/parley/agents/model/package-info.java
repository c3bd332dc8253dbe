/**
 * Model calls: the worker, and the interface of model providers.
 *
 * <p>A new provider is a package with one public class, an implementation of
 * {@link dev.parley.agents.model.ModelProvider}, registered in {@link dev.parley.agents.model.ModelProviders}.
 */
@Configuration
@Requires(property = "parley.role.models", value = "true")
@NullMarked
package dev.parley.agents.model;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.NullMarked;
