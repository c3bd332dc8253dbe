@NullMarked
package dev.parley.platform.dispatch;

import org.jspecify.annotations.NullMarked;
