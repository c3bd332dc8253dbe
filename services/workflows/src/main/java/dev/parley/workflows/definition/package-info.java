/**
 * Workflow definitions: {@link dev.parley.workflows.definition.DefinitionReader} compiles YAML to a
 * {@link dev.parley.workflows.definition.Workflow}, or reports every problem with its line.
 */
@NullMarked
package dev.parley.workflows.definition;

import org.jspecify.annotations.NullMarked;
