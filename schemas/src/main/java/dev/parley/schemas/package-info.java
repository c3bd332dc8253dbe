/** The schemas of Parley's records: today's, and every released one. Knows Avro and nothing else. */
@NullMarked
package dev.parley.schemas;

import org.jspecify.annotations.NullMarked;
