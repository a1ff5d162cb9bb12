#include "sim/config/json_scanner.h"

#include <algorithm>
#include <charconv>

#include "sim/config/problem.h"

namespace flotilla::config {

namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Every byte of a UTF-8 character but its first is 10xxxxxx.
bool continues_character(unsigned byte) { return (byte & 0xC0U) == 0x80U; }

void append_utf8(std::string& out, unsigned code) {
  const auto append = [&](unsigned bits) { out += static_cast<char>(bits); };
  if (code < 0x80) {
    append(code);
  } else if (code < 0x800) {
    append(0xC0 | (code >> 6));
    append(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    append(0xE0 | (code >> 12));
    append(0x80 | ((code >> 6) & 0x3F));
    append(0x80 | (code & 0x3F));
  } else {
    append(0xF0 | (code >> 18));
    append(0x80 | ((code >> 12) & 0x3F));
    append(0x80 | ((code >> 6) & 0x3F));
    append(0x80 | (code & 0x3F));
  }
}

}  // namespace

JsonScanner::JsonScanner(SourcePtr source, std::size_t offset)
    : source_(std::move(source)), text_(source_->text) {
  advance(std::min(offset, text_.size()));
}

void JsonScanner::fail(const Place& place, std::string message, std::string hint) const {
  throw InvalidInput({make_problem(place, "", std::move(message), std::move(hint))});
}

bool JsonScanner::at_letter() const { return !done() && is_letter(text_[position_]); }

bool JsonScanner::at_number() const {
  return !done() && (is_digit(text_[position_]) || at('-') || at('+') || at('.'));
}

bool JsonScanner::ahead(std::string_view expected) const {
  return text_.substr(position_).starts_with(expected);
}

Place JsonScanner::since(Place begin) const {
  begin.length = begin.line == line_ ? std::max(1, column_ - begin.column) : 1;
  return begin;
}

unsigned JsonScanner::byte(std::size_t ahead) const {
  return position_ + ahead < text_.size()
             ? static_cast<unsigned>(static_cast<unsigned char>(text_[position_ + ahead]))
             : 0U;
}

void JsonScanner::advance() {
  const unsigned passed = byte(0);
  ++position_;
  if (passed == '\n') {
    ++line_;
    column_ = 1;
  } else if (!continues_character(passed)) {
    ++column_;
  }
}

void JsonScanner::advance(std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) advance();
}

void JsonScanner::skip_byte_order_mark() {
  if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF")) {
    fail(here(), "the file is UTF-16", "save it as UTF-8");
  }
  if (position_ == 0 && text_.starts_with("\xEF\xBB\xBF")) position_ = 3;
}

void JsonScanner::skip_blank() {
  while (!done()) {
    if (at(' ') || at('\t') || at('\n') || at('\r')) {
      advance();
    } else if (ahead("//")) {
      while (!done() && !at('\n')) advance();
    } else if (ahead("/*")) {
      const Place begin = here(2);
      advance(2);
      while (!done() && !ahead("*/")) advance();
      if (done()) fail(begin, "this comment never ends; expected */");
      advance(2);
    } else {
      return;
    }
  }
}

std::string JsonScanner::word() const {
  constexpr std::size_t kLongest = 40;
  std::size_t end = position_;
  while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
  return std::string(text_.substr(position_, std::min(end - position_, kLongest)));
}

std::string JsonScanner::take_run() {
  const std::size_t begin = position_;
  while (at_letter() || at_number()) advance();
  return std::string(text_.substr(begin, position_ - begin));
}

std::string JsonScanner::found() const {
  if (done()) return "the end of the file";
  if (at_letter()) return "\"" + word() + "\"";
  if (at('"')) return "a text";
  if (at_number()) return "a number";
  std::size_t length = 1;
  while (continues_character(byte(length))) ++length;
  return "the character " + std::string(text_.substr(position_, length));
}

std::string JsonScanner::take_text() {
  const Place open = here();
  std::string out;
  advance();
  while (!at('"')) {
    if (done()) fail(open, "this text is never closed: expected a double quote");
    if (at('\\')) {
      take_escape(out);
    } else if (at('\n') || at('\r')) {
      fail(open, "this text is not closed in its line: expected a double quote");
    } else if (byte(0) < 0x20) {
      fail(here(), "a control character inside a text", "a tab is written \\t");
    } else {
      take_character(out);
    }
  }
  advance();
  return out;
}

// One character, which must be well-formed UTF-8 (Unicode 15, table 3-7).
void JsonScanner::take_character(std::string& out) {
  const unsigned lead = byte(0);
  std::size_t length = 0;
  if (lead < 0x80) length = 1;
  if (lead >= 0xC2 && lead <= 0xDF) length = 2;
  if (lead >= 0xE0 && lead <= 0xEF) length = 3;
  if (lead >= 0xF0 && lead <= 0xF4) length = 4;
  bool good = length > 0;
  for (std::size_t i = 1; i < length; ++i) good = good && continues_character(byte(i));
  const unsigned second = byte(1);
  good = good && !(lead == 0xE0 && second < 0xA0) && !(lead == 0xED && second > 0x9F) &&
         !(lead == 0xF0 && second < 0x90) && !(lead == 0xF4 && second > 0x8F);
  if (!good) fail(here(), "not valid UTF-8 text", "save the file as UTF-8");
  out += text_.substr(position_, length);
  advance(length);
}

void JsonScanner::take_escape(std::string& out) {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const Place begin = here(2);
  advance();
  const std::size_t meaning =
      done() ? std::string_view::npos : kLetters.find(static_cast<char>(byte(0)));
  if (meaning != std::string_view::npos) {
    out += kMeanings[meaning];
    advance();
  } else if (at('u')) {
    advance();
    take_unicode(out, begin);
  } else {
    fail(begin, "an unknown escape in a text", "a backslash itself is written \\\\");
  }
}

// The four digits after \u, and the second half of a surrogate pair.
void JsonScanner::take_unicode(std::string& out, const Place& begin) {
  std::optional<unsigned> code = take_hex4();
  if (code && *code >= 0xD800 && *code <= 0xDBFF) {
    std::optional<unsigned> low;
    if (ahead("\\u")) {
      advance(2);
      low = take_hex4();
    }
    const bool pair = low && *low >= 0xDC00 && *low <= 0xDFFF;
    code =
        pair ? std::optional(0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00)) : std::nullopt;
  } else if (code && *code >= 0xDC00 && *code <= 0xDFFF) {
    code.reset();
  }
  if (!code) fail(begin, "a malformed \\u escape in a text", "like \\u00e9");
  append_utf8(out, *code);
}

std::optional<unsigned> JsonScanner::take_hex4() {
  constexpr std::size_t kDigits = 4;
  unsigned code = 0;
  const std::string_view digits = text_.substr(std::min(position_, text_.size()), kDigits);
  const char* last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), last, code, 16);
  if (error != std::errc() || digits.size() < kDigits || end != last) return std::nullopt;
  advance(kDigits);
  return code;
}

}  // namespace flotilla::config
