/**
 * Expressions of definitions, in two dialects: jq, with the data flow of the Serverless Workflow specification, and
 * CEL, with that of Light-Fabric.
 */
@NullMarked
package dev.parley.workflows.expression;

import org.jspecify.annotations.NullMarked;
