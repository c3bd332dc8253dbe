@NullMarked
package dev.parley.platform.kafka;

import org.jspecify.annotations.NullMarked;
