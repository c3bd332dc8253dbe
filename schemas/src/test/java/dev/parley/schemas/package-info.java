@NullMarked
package dev.parley.schemas;

import org.jspecify.annotations.NullMarked;
