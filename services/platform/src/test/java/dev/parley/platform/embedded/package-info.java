@NullMarked
package dev.parley.platform.embedded;

import org.jspecify.annotations.NullMarked;
