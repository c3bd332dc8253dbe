/**
 * Model calls: the worker and what it asks of a provider.
 *
 * <p>A new provider is a package with one public class, an implementation of
 * {@link dev.parley.agents.model.ModelProvider}, given to {@link dev.parley.agents.model.ModelProviders}.
 */
@NullMarked
package dev.parley.agents.model;

import org.jspecify.annotations.NullMarked;
