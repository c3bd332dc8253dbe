@NullMarked
package dev.parley.platform.sealing;

import org.jspecify.annotations.NullMarked;
