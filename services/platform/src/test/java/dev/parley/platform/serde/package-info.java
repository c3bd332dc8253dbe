@NullMarked
package dev.parley.platform.serde;

import org.jspecify.annotations.NullMarked;
