@NullMarked
package dev.parley.channels.openai;

import org.jspecify.annotations.NullMarked;
