/**
 * Model calls: the worker, and the interface of model providers.
 *
 * <p>A new provider is a package with one public class, an implementation of
 * {@link dev.parley.agents.model.ModelProvider}, registered in {@link dev.parley.agents.model.ModelProviders}.
 */
@NullMarked
package dev.parley.agents.model;

import org.jspecify.annotations.NullMarked;
