@NullMarked
package dev.parley.platform.lane;

import org.jspecify.annotations.NullMarked;
