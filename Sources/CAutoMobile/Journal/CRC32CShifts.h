// How far a checksum is carried: by 2n + 1 and by n + 1 words of eight bytes, in line n − 1.
//
// Line by line x^(8·8·(2n + 1) − 33) and x^(8·8·(n + 1) − 33) modulo the polynomial, reflected: multiplying by one of these, and
// taking the checksum of the product, moves a checksum over so many words. ChecksumTests compares with the portable checksum, at
// lengths for which each line is needed.
#ifndef C_AUTOMOBILE_CRC32C_SHIFTS_H
#define C_AUTOMOBILE_CRC32C_SHIFTS_H

#include <stdint.h>

enum { CRC32C_MOST_WORDS = 32 };

static const uint32_t crc32c_shifts[CRC32C_MOST_WORDS][2] = {
    {0xF20C0DFE, 0x493C7D27},
    {0x3DA6D0CB, 0xF20C0DFE},
    {0x1C291D04, 0xBA4FC28E},
    {0x740EEF02, 0x3DA6D0CB},
    {0x083A6EEC, 0xDDC0152B},
    {0xC49F4F67, 0x1C291D04},
    {0x2AD91C30, 0x9E4ADDF8},
    {0x6992CEA2, 0x740EEF02},
    {0x7E908048, 0x39D3B296},
    {0x1B3D8F29, 0x083A6EEC},
    {0xF1D0F55E, 0x0715CE53},
    {0xA87AB8A8, 0xC49F4F67},
    {0x8462D800, 0x47DB8317},
    {0x71D111A8, 0x2AD91C30},
    {0xFFD852C6, 0x0D3B6092},
    {0xDCB17AA4, 0x6992CEA2},
    {0xF37C5AEE, 0xC96CFDC0},
    {0x6051D5A2, 0x7E908048},
    {0x18B0D4FF, 0x878A92A7},
    {0x21F3D99C, 0x1B3D8F29},
    {0x8F158014, 0xDAECE73E},
    {0xA00457F7, 0xF1D0F55E},
    {0x8D6D2C43, 0xAB7AFF2A},
    {0x00AC29CF, 0xA87AB8A8},
    {0xE9ADF796, 0x2162D385},
    {0x96638B34, 0x8462D800},
    {0xE0E9F351, 0x83348832},
    {0x9AF01F2D, 0x71D111A8},
    {0x2CFF42CF, 0x299847D5},
    {0x88F25A3A, 0xFFD852C6},
    {0x4E36F0B0, 0xB9E02B86},
    {0xBD6F81F8, 0xDCB17AA4},
};

#endif
