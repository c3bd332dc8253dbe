/**
 * Definitions of workflows: {@link dev.parley.workflows.definition.DefinitionReader} makes a
 * {@link dev.parley.workflows.definition.Workflow} of a text in YAML, or says all that is wrong with it, with the line of each mistake.
 */
@NullMarked
package dev.parley.workflows.definition;

import org.jspecify.annotations.NullMarked;
